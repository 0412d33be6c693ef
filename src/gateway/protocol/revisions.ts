/** Revisions whose requests carry all that is needed to answer them: no handshake, no session. */
export const MODERN_REVISIONS = ['2026-07-28'] as const;

/**
 * Revisions that begin with `initialize`, over Streamable HTTP; the newest first. 2024-11-05 knew another transport, but servers
 * that are reached by a bridge for stdio answer with it, and clients behind one ask for it.
 */
export const LEGACY_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

export type ModernRevision = (typeof MODERN_REVISIONS)[number];
export type LegacyRevision = (typeof LEGACY_REVISIONS)[number];
export type Era = 'modern' | 'legacy';

/** All that the endpoint of a bundle speaks, as `supported` names them. */
export const REVISIONS: readonly string[] = [...MODERN_REVISIONS, ...LEGACY_REVISIONS];

/** @returns whether a text names a revision without a handshake that we speak */
export function isModern(revision: string): revision is ModernRevision {
  return (MODERN_REVISIONS as readonly string[]).includes(revision);
}

/** @returns whether a text names a revision with a handshake that we speak */
export function isLegacy(revision: string): revision is LegacyRevision {
  return (LEGACY_REVISIONS as readonly string[]).includes(revision);
}

/**
 * @param requested by `initialize`
 * @returns the same if we speak it, otherwise the newest one that we do (2025-11-25, lifecycle, "Version Negotiation")
 */
export function negotiated(requested: string): LegacyRevision {
  return isLegacy(requested) ? requested : LEGACY_REVISIONS[0];
}

/** The keys of `_meta` that belong to one hop: taken off, and set again towards the upstream. */
export const RESERVED_META = 'io.modelcontextprotocol/';
