// PNG out of the drawing that lies in the page: nothing is asked of any host.
"use strict";
document.getElementById("png").addEventListener("click", () => {
  const image = new Image();
  image.addEventListener("load", () => {
    const canvas = document.createElement("canvas"), scale = 2;
    canvas.width = image.naturalWidth * scale;
    canvas.height = image.naturalHeight * scale;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const link = document.createElement("a");
    link.download = "chart.png";
    link.href = canvas.toDataURL("image/png");
    link.click();
    document.documentElement.dataset.png = String(canvas.width);
  });
  image.src = document.getElementById("chart-svg").href;
});
