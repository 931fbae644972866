import org.openprovenance.prov.interop.InteropFramework;
import org.openprovenance.prov.model.Document;
import org.openprovenance.prov.model.ProvFactory;
import org.openprovenance.prov.validation.Config;
import org.openprovenance.prov.validation.ObjectMaker;
import org.openprovenance.prov.validation.Unknown;
import org.openprovenance.prov.validation.Validate;
import org.openprovenance.prov.validation.VarQName;
import org.openprovenance.prov.validation.report.ValidationReport;
import org.openprovenance.prov.vanilla.QualifiedName;

/** Prints, for each PROV-N file, how many statements it has and how many faults of each kind ProvToolbox finds in it. */
public class ValidateProv {
    /** A name that stands for what is not known yet: the library leaves these classes to whoever uses it. */
    static class Variable extends QualifiedName implements VarQName {
        Variable(String namespace, String local, String prefix) {
            super(namespace, local, prefix);
        }
    }

    static class Placeholder extends QualifiedName implements Unknown {
        Placeholder(String namespace, String local) {
            super(namespace, local, null);
        }
    }

    static class Names implements ObjectMaker {
        public VarQName makeVarQName(String namespace, String local, String prefix) {
            return new Variable(namespace, local, prefix);
        }

        public VarQName makeVarQName(org.openprovenance.prov.model.QualifiedName name) {
            return new Variable(name.getNamespaceURI(), name.getLocalPart(), name.getPrefix());
        }

        public Unknown makeUnknown(String namespace, String local) {
            return new Placeholder(namespace, local);
        }
    }

    static int count(Object list) {
        return list == null ? 0 : ((java.util.List<?>) list).size();
    }

    public static void main(String[] files) throws Exception {
        ProvFactory factory = InteropFramework.getDefaultFactory();
        for (String file : files) {
            Document document = new InteropFramework(factory).readDocumentFromFile(file);
            int statements = document.getStatementOrBundle().size();
            ValidationReport report = new Validate(Config.newYesToAllConfig(factory, new Names())).validate(document);
            System.out.println("statements " + statements);
            System.out.println("cycles " + count(report.getCycle()));
            System.out.println("cycles-of-moments " + count(report.getNonStrictCycle()));
            System.out.println("failed-merges " + count(report.getFailedMerge()));
            System.out.println("names " + count(report.getQualifiedNameMismatch()));
            System.out.println("type-overlaps " + count(report.getTypeOverlap()));
            System.out.println("types " + (report.getTypeReport() == null ? 0 : 1));
            System.out.println("specialized-to-itself "
                + (report.getSpecializationReport() == null ? 0 : count(report.getSpecializationReport().getSpecializationOf())));
            System.out.println("malformed "
                + (report.getMalformedStatements() == null ? 0 : count(report.getMalformedStatements().getStatement())));
        }
    }
}
