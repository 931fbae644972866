// PNG out of the drawing that lies in the page: nothing is asked of any host.
"use strict";
document.getElementById("png").addEventListener("click", () => {
  const image = new Image();
  image.addEventListener("load", () => {
    // No browser gives a picture of a canvas beyond 65,535 pixels, and some of none beyond 16,384.
    const canvas = document.createElement("canvas"), scale = Math.min(2, 16000 / Math.max(image.naturalWidth, image.naturalHeight));
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
