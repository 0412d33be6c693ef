/** @returns where something is, as RFC 6901 writes it: empty for the whole */
export function jsonPointer(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** @returns the names and places of elements on the way to where a pointer of RFC 6901 points */
export function pointerSteps(pointer: string): string[] {
  return pointer.split('/').slice(1).map(pointerStep);
}

/** @returns the name that a part between two slashes stands for */
export function pointerStep(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
