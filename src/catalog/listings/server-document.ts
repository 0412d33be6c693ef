/** The part of a document's `_meta` that is for publishers. */
export const PUBLISHER = 'io.modelcontextprotocol.registry/publisher-provided';

/** The part of a `server.json` document (schema of 2025-12-11) that listings use; other fields are kept unchanged. */
export interface ServerDocument {
  name: string;
  title?: string;
  description: string;
  version: string;
  repository?: object;
  websiteUrl?: string;
  icons?: object[];
  [field: string]: unknown;
}
