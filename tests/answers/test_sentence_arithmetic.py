"""What sentences tell in words is recomputed where the figures are named, and left alone where others could be meant."""

import pytest

from kg.answers.sentence_arithmetic import sentence_arithmetic
from kg.answers.text_arithmetic import Recomputed
from tests.answers.operands import UNITS, read_operands


def computed(text: str) -> list[Recomputed]:
    report, operands = read_operands(text)
    return list(sentence_arithmetic(report.text, operands, UNITS).values())


WRONG = [
    ("Twice a ratio", "It is 4x faster: 100 vs 300 tokens/s.", "3x"),
    ("against", "The new chip makes 900 tokens/s against 300 tokens/s, a 4x speedup.", "3x"),
    ("up from", "It answers 1.2 billion tokens a day, up from 800 million tokens a day, an increase of 33 percent.", "50 %"),
    ("told last", "One node makes 2,400 tokens/s and the other 9,000 tokens/s, 5x faster.", "3.75x"),
    ("times the", "The rack is priced at $3.1 million, 1.6 times the $190,000 of a server.", "16.32x"),
    ("part of", "Half of the 12,000 GPUs, or 5,000, were idle.", "6,000"),
    ("product", "Power of 32 nodes at 14.3 kW is 557.6 kW.", "457.6 kW"),
    ("product per thing", "It took 2.788 million GPU hours; at $2.00 per GPU hour this is $6.576 million.", "5,576,000"),
    ("each", "The cluster has 2,048 GPUs at 1.275 kW each, so 3.6 MW.", "2.611"),
    ("each, in total", "The node has 8 GPUs with 141 GB each, 1,228 GB in total.", "1,128 GB"),
    ("total", "Nodes come to $12.8 million, networking adds $1.9 million and storage $0.6 million, in total $16.3 million.", "15,300,000"),
    ("total behind", "We spent $12.4 million on nodes, $1.9 million on links and $0.8 million on cooling, $15.9 million in total.", "15,100,000"),
    ("hours", "It took 2.788 million GPU hours; at $2.00 an hour that is $6.576 million.", "5,576,000"),
    ("rest", "The share of A is 80%, B has 15% and others 10%.", "5 %"),
    ("shares", "Of 1,000 requests, 950 were answered in time (95%), 30 late (3%) and 20 not at all (4%).", "2 %"),
    ("per device", "The server with eight GPUs draws 10.2 kW, or 1,575 W per GPU.", "1,275 W"),
    ("per device, no unit", "H200 reached 34,864 tokens/s with eight GPUs, 5,358 per GPU.", "4,358"),
    ("devices named before", "It connects 72 GPUs. Its links move 130 TB/s, that is 3.6 TB/s per GPU.", "1.8"),
    ("in groups", "A cluster of 1,024 GPUs in 128 nodes has 16 GPUs per node.", "8"),
    ("for each of", "The rack draws 120 kW, or 2.67 kW for each of its 72 GPUs.", "1.667 kW"),
    ("price of many", "It costs $30,000 per card, so eight cards cost $340,000.", "240,000"),
    ("with each", "Two racks with 72 GPUs each have 164 GPUs.", "144"),
    ("total, then each", "An HGX board with 8 GPUs holds 1,528 GB, 141 GB each.", "191 GB"),
    ("price, then count", "Costs are $9.576 million, assuming $2 per GPU hour and 2.788 million GPU hours.", "5,576,000"),
    ("sum of parts", "The bill is $3.5 million: $2 million for GPUs and $0.5 million for power.", "2,500,000"),
    ("times the, unit once", "The chip has 208 billion transistors, 3.6 times the 80 billion of its predecessor.", "2.6x"),
    ("rest behind", "54 % are NVIDIA, 26 % AMD, and 40 % others.", "20 %"),
    ("others between", "A makes 5,120 tok/s with 128 users, B 11,400 tok/s, a 3.2x gain.", "2.2"),
    ("part in percent", "40% of the 12,000 GPUs, or 6,000, were idle.", "4,800"),
    ("total of counts", "It has 40 GPUs here and 33 GPUs there, 72 GPUs in all.", "73"),
    ("groups of counts", "16 nodes of 8 GPUs each make 129 GPUs.", "128"),
    ("each, then the total", "The cluster has 8 racks of 9 GPUs each, 73 GPUs in total.", "72"),
    ("each of the", "Each of the 18 compute trays holds 4 GPUs, for a total of 96.", "72"),
    ("more than", "The B200 has 192 GB of memory, which is 46% more than the H200 with 141 GB.", "36.17 %"),
    ("above the", "The TDP of the B300 is 1,400 W, 60% above the 1,000 W of the B200.", "40 %"),
    ("share behind a comma", "Of 671B parameters 37B are active, 9.5 %.", "5.5"),
    ("twice as much", "AMD's MI355X needs 1,400 W, twice as much as the 1,000 W of the B200.", "1.4x"),
    ("twice as much, rounded", "The B200 needs 1,000 W, twice as much as the 700 W of the H100.", "1.429x"),
    ("2x", "The H200 has 141 GB of memory, 2x the 80 GB of the H100.", "1.762x"),
    ("2 times", "An MI355X needs 1,400 W, 2 times the 1,000 W of the B200.", "1.4x"),
    ("double", "The H200 has 141 GB, double the H100's 80 GB.", "1.762x"),
    ("is twice", "The H200's 141 GB is twice the H100's 80 GB.", "1.762x"),
    ("doubles to", "The H200 doubles the H100's 80 GB to 141 GB.", "1.762x"),
    ("twice the memory", "The H200 has twice the memory of the H100: 141 GB against 80 GB.", "1.762x"),
    ("as much memory", "The MI355X needs 1,400 W, twice as much power as the B200, which needs 1,000 W.", "1.4x"),
    ("behind a colon", "The B200 draws 1,000 W, the H100 700 W: twice as much.", "1.429x"),
    ("a factor of", "The B200 draws 1,000 W, against 700 W for the H100, a factor of two.", "1.429x"),
    ("named before", "At 1,000 W, the B200 needs twice the 700 W of the H100.", "1.429x"),
    ("half the", "The H100 has half the memory of the H200: 80 GB versus 141 GB.", "0.5674x"),
    ("half as much", "The H200 needs 700 W, half as much as the B200 with 1,000 W.", "0.7x"),
    ("a third less", "The H100 needs 500 W, a third less than the B200's 1,000 W.", "0.5x"),
    ("50 percent", "The H200 has 141 GB, 50 percent more memory than the H100 with 80 GB.", "76.25 %"),
    ("100 percent", "The H200 has 141 GB, 100% more memory than the H100 with 80 GB.", "76.25 %"),
    ("triple", "The B200 has 192 GB, triple the H100's 80 GB.", "2.4x"),
    ("cut off", "The chip has 310 GB, 3x the 80 GB of the H100.", "3.875x"),
    ("round factor", "The rack costs $3.9 million, 20 times the $300,000 of a server.", "13x"),
    ("increase over", "The H200 has 4.8 TB/s, a 2x increase over the 3.35 TB/s of the H100.", "1.433x"),
    ("increase of", "The H200 has 4.8 TB/s, an increase of 60 percent over the H100's 3.35 TB/s.", "43.28 %"),
    ("nearly", "The H200 has 141 GB, nearly double the 100 GB of its sister.", "1.41x"),
    ("more than", "The H200 has 141 GB, more than twice the 80 GB of the H100.", "1.762x"),
    ("round product", "8 nodes at 80 kW are 1,000 kW.", "640"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), [one[1:] for one in WRONG], ids=[one[0] for one in WRONG])
def test_a_slip_is_found_with_the_right_value(text: str, value: str) -> None:
    (found,) = [one for one in computed(text) if not one.fits]
    assert found.value_to_use is not None and found.value_to_use.startswith(value), found


@pytest.mark.parametrize(
    "text",
    [
        "The rack holds 8 trays of 9 GPUs, 72 GPUs in all.",
        "Each tray has 4 GPUs and 18 trays make 72 GPUs in total.",
        "8 nodes of 8 GPUs and 4 GPUs in a head node make 68 GPUs in total.",
        "We rent 24 H100 GPUs and 16 H200 GPUs, 40 GPUs in total.",
        "The pod holds 8 NVL72 racks with 72 GPUs each, for a total of 576 GPUs.",
        "The H200 carries 141 GB, 76% more than the 80 GB of the H100.",
        "The MI355X consumes 1,400 W, twice as much as the H100's 700 W.",
        "The B300 has 288 GB, double the 141 GB of the H200.",
        "The B300 has 288 GB, more than double the H200's 141 GB.",
        "The H200 has 141 GB, almost twice the 80 GB of the H100.",
        "The H200 has 141 GB, about twice the H100's 80 GB.",
        "The B200's 192 GB is 2.4x the H100's 80 GB.",
        "The H200 has 141 GB, 75 percent more memory than the H100's 80 GB.",
        "The H100 needs 700 W, nearly a third less than the B200's 1,000 W.",
        "The H100 needs 700 W, half of the 1,400 W of the B300.",
        "Latency fell from 120 ms to 60 ms, twice as fast.",
        "From 3 s to 1 s it gains 2.8x.",
        "It is 3x faster: 100 vs 300 tokens/s.",
        "It answers 1.2 billion tokens a day, up from 800 million tokens a day, an increase of 50 percent.",
        "Latency dropped from 120 ms to 80 ms, 33% lower.",
        "One node makes 2,400 tokens/s and the other 9,000 tokens/s, 3.75x faster.",
        "Utilisation was 40%, two times the 20% of last year.",
        "Half of the 12,000 GPUs, or 6,000, were idle.",
        "34% of the 100 tokens/s, or 34 tokens/s.",
        "Power of 32 nodes at 14.3 kW is 457.6 kW.",
        "The node has 8 GPUs with 141 GB each, 1,128 GB in total.",
        "The share of A is 80%, B has 15% and others 5%.",
        "H200 reached 34,864 tokens/s with eight GPUs, 4,358 per GPU.",
        "A cluster of 1,024 GPUs in 128 nodes has 8 GPUs per node.",
        "The rack draws 120 kW, or 1.67 kW for each of its 72 GPUs.",
        "It costs $30,000 per card, so eight cards cost $240,000.",
        "Two racks with 72 GPUs each have 144 GPUs.",
        "An HGX board with 8 GPUs holds 1,128 GB, 141 GB each.",
        "Costs are $5.576 million, assuming $2 per GPU hour and 2.788 million GPU hours.",
        "The bill is $2.5 million: $2 million for GPUs and $0.5 million for power.",
        "The chip has 208 billion transistors, 2.6 times the 80 billion of its predecessor.",
        "Of 671B parameters 37B are active, 5.5 %.",
        "A makes 5,120 tok/s at a concurrency of 128, while B makes 11,400 tok/s, a 2.2x gain.",
        "With 128 users A makes 5,120 tok/s, with 256 B makes 11,400 tok/s, a 2.2x gain.",
    ],
)
def test_what_is_right_is_called_right_or_nothing(text: str) -> None:
    assert all(one.fits for one in computed(text))


@pytest.mark.parametrize(
    "text",
    [
        "8 racks at 120 kW need 1.2 MW with a PUE of 1.25.",
        "The H200 has 141 GB and the B200 192 GB, 76% more than the H100 with 80 GB.",
        "The B200 has 192 GB and is 60% more expensive than the H200 with 141 GB.",
        "The B200 has 192 GB, 67% more bandwidth than the H200 with 141 GB.",
        "Each of the 8 nodes holds 8 GPUs and 4 GPUs are spare, 68 GPUs in total.",
        "Two pods with 8 racks of 72 GPUs each have 1,152 GPUs in total.",
        "32 nodes at 14.3 kW need 366 kW at 80% load.",
        "16 instead of 64 GPUs, 75% fewer, and 10 kW instead of 45 kW.",
        "A makes 100 tokens/s and B 300 tokens/s, 5x faster than the card of last year.",
        "A makes 100 tokens/s, B 300 tokens/s and C 700 tokens/s, 5x faster.",
        "It has 2,048 GPUs at $2 per hour, or $35 million a year.",
        "Nodes cost $12 million including $2 million of networks, $1 million is tax, in total $13 million.",
        "The H100 draws 700 W and the B200 draws 1,000 W, 8 GPUs a node.",
        "Two runs with 8 and 16 GPUs made 100 tokens/s, or 9 tokens/s per GPU.",
        "It has 2x everything, and more memory (94 GB, as compared to 80 GB).",
        "Training takes 10% more energy per token on 2,408 H100s vs 64 H100s.",
        "A grew by 80%, B by 15% and others by 10%.",
        "It uses 1,024 GPUs in 3 regions with 8 GPUs per node.",
        "A card costs $30,000 per year, so eight racks cost $1 million.",
        "The bill is $3.5 million: $2 million per year and $0.5 million a month.",
        "The bill is $3.5 million, of which $2 million are for GPUs and $0.5 million for power.",
        "Two racks with 72 GPUs each have 36 CPUs.",
        "With 128 GPUs it makes 51,200 tokens/s, 400 tokens/s per GPU, twice the 200 of before.",
        "8 GPUs draw 5.6 kW, half the 11.2 of a rack.",
        "A makes 5,120 at a concurrency of 128, while B makes 11,400 tok/s, a 2.2x gain.",
        "Two nodes with 8 GPUs at 700 W draw 11.2 kW.",
        "Two racks of 72 GPUs at 1.2 kW each are 172.8 kW.",
        "Two systems with 8 GPUs cost $500,000, $250,000 each.",
        "Two systems with 8 GPUs cost $500,000, or $31,250 per GPU.",
        "4 servers with 8 GPUs hold 4.5 TB, 141 GB each.",
        "16 nodes with 8 GPUs make 12,800 tokens/s, 100 per GPU.",
        "A rack of 72 GPUs at $3.9M costs $54,167 per GPU.",
        "8 GPUs at $250k are $31,250 each.",
        "A node of 8 GPUs with 10.2 kW draws 1.275 kW for each GPU.",
        "The rack has 72 GPUs at 1.2 kW each and needs 120 kW in total.",
        "The rack has 72 GPUs at 1.2 kW but the rack draws 120 kW.",
        "The rack has 72 GPUs at 1.2 kW and 36 CPUs at 0.3 kW, in total 97.2 kW.",
        "The B200 has 192 GB and costs twice as much as the H200 with 141 GB.",
        "The B200 has 192 GB and twice the bandwidth of the H200 with 141 GB.",
        "The B200 needs 1,000 W, half as much again as the H100's 700 W.",
        "The H100 draws 700 W and the B200 1,000 W; training is twice as fast.",
    ],
)
def test_what_would_have_to_be_guessed_is_left_alone(text: str) -> None:
    assert not [one for one in computed(text) if not one.fits]
