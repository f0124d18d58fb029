/** A PNG made from a picture in SVG. */

/** @returns base64 of a PNG with two dots a pixel */
export async function pngBase64(picture: string, width: number, height: number): Promise<string> {
  const image = new Image();
  // A data URL, since the page's policy lets pictures come from nowhere else. XML has no raw control characters.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * 2;
  canvas.height = height * 2;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.scale(2, 2);
  context.drawImage(image, 0, 0, width, height);
  return canvas.toDataURL("image/png").replace(/^data:image\/png;base64,/, "");
}
