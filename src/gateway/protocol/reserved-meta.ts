/** The keys of `_meta` that belong to one hop: taken off, and set again towards the upstream. */
export const RESERVED_META = 'io.modelcontextprotocol/';
