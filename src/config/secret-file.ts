import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isAbsolute } from 'node:path';

const MAX_BYTES = 65_536;

/** One of them is undefined. */
interface SecretFile {
  content?: string;
  /** What is wrong, for the operator; names the path, but shows nothing of the content. */
  fault?: string;
}

/**
 * Reads a secret that an orchestrator provides as a file (`/run/secrets/…`).
 *
 * @param path absolute. Anything else is not repeated in the error, since it may be the secret itself in the wrong
 *   variable.
 * @returns the content without one final line break, which editors and `echo` add
 */
export function readSecretFile(path: string): SecretFile {
  if (!isAbsolute(path)) return { fault: 'is not an absolute path' };
  let bytes: Buffer | undefined;
  try {
    bytes = readBytes(path);
  } catch (error) {
    return { fault: `names a file that cannot be read: ${path} (${(error as NodeJS.ErrnoException).code})` };
  }
  if (bytes === undefined) return { fault: `names something that is not a file: ${path}` };
  if (bytes.length > MAX_BYTES) return { fault: `names a file of more than ${MAX_BYTES} bytes: ${path}` };
  const content = textOf(bytes)?.replace(/\r?\n$/, '');
  if (content === undefined) return { fault: `names a file that is not text: ${path}` };
  return content.trim() === '' ? { fault: `names an empty file: ${path}` } : { content };
}

/** @returns at most one byte more than is allowed; undefined for a directory or a device, which may never end */
function readBytes(path: string): Buffer | undefined {
  // A pipe without a writer would block the start otherwise.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) return undefined;
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** @returns undefined if it is not UTF-8, or contains a NUL, which no secret of ours has */
function textOf(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
