/** Class names of a CSS module; a name that it lacks is undefined. */
declare module '*.module.css' {
  const styles: Record<string, string | undefined>;
  export default styles;
}
