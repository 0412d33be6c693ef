/** What a client does with a placeholder that nothing was filled in for. */
export type LeftEmpty =
  | { does: 'asks' }
  /** It reads an environment variable. */
  | { does: 'reads'; variable: string }
  /** Nothing: it is for the person to replace. */
  | { does: 'keeps' };

const VARIABLE = /^\$(?:\{(?:env:)?(\w+)(?::-)?\}|(\w+))$/;

/** @param placeholder in the form of the client: `${input:…}`, `${env:NAME}`, `${NAME}`, `${NAME:-}`, `$NAME`, `<NAME>` */
export function leftEmpty(placeholder: string): LeftEmpty {
  if (placeholder.startsWith('${input:')) return { does: 'asks' };
  const match = VARIABLE.exec(placeholder);
  const variable = match?.[1] ?? match?.[2];
  return variable === undefined ? { does: 'keeps' } : { does: 'reads', variable };
}
