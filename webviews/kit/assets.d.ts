/** Icons are bundled as text. */
declare module "*.svg" {
  const text: string;
  export default text;
}

/** Style sheets are bundled beside their page. */
declare module "*.css";
