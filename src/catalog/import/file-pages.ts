import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { RegistryPage } from './registry-reader';
import { SourceError } from './source-error';

const PAGE_SIZE = 200;

/** A file with a list of servers, in pages. */
export interface FilePages {
  page: (cursor: string | null) => RegistryPage;
  /** SHA-256 of the file: a cursor is valid only for the file that it came from. */
  digest: Buffer;
}

/**
 * @param path a JSON file, optionally gzipped: a list of entries, or an object with the list in `servers`
 * @returns the pages; a cursor is the index of the page's first entry
 * @throws SourceError
 */
export async function readFilePages(path: string): Promise<FilePages> {
  const { json, digest } = await readJson(path);
  const entries: unknown = Array.isArray(json) ? json : (json as { servers?: unknown } | null)?.servers;
  if (!Array.isArray(entries)) throw new SourceError(`${path} does not contain a list of servers.`);
  const servers: unknown[] = entries;
  const page = (cursor: string | null): RegistryPage => {
    const from = Number(cursor ?? 0);
    const to = from + PAGE_SIZE;
    return { entries: servers.slice(from, to), nextCursor: to < servers.length ? String(to) : undefined };
  };
  return { page, digest };
}

async function readJson(path: string): Promise<{ json: unknown; digest: Buffer }> {
  try {
    const bytes = await readFile(path);
    const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const text = (isZipped ? await promisify(gunzip)(bytes) : bytes).toString('utf8');
    return { json: JSON.parse(text), digest: createHash('sha256').update(bytes).digest() };
  } catch (error) {
    throw new SourceError(`${path} cannot be read: ${(error as Error).message}`, false, { cause: error });
  }
}
