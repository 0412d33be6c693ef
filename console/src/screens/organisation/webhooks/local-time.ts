const two = (value: number): string => String(value).padStart(2, '0');

/** @returns an instant as a field for days and times has it, in the time zone of the browser; to the minute */
export function toLocal(instant: string): string {
  const at = new Date(instant);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** @returns the instant of such a field; undefined if it is none */
export function fromLocal(text: string): string | undefined {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
