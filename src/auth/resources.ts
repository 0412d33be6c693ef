/** The path of an organisation's registry, with whatever follows. */
const REGISTRY = /^\/v1\/organisations\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/registry(?=\/|$)/;

/** For the document. */
export const RESOURCES_IN_WORDS =
  '`PUBLIC_URL` (the default), or the registry of an organisation: `PUBLIC_URL/v1/organisations/{org_id}/registry`';

/**
 * What access tokens can be for (RFC 8707): this whole service, or the registry of one organisation. Compared letter by
 * letter, because resource servers compare `aud` so (RFC 9068, section 4).
 */
export class Resources {
  /** @param publicUrl without a final slash */
  constructor(readonly publicUrl: string) {}

  /** @returns whether a token can be issued for it */
  has(resource: string): boolean {
    return this.isWhole(resource) || this.pathOf(resource) !== undefined;
  }

  /**
   * @param audience of a token
   * @returns the path below which the token is accepted: `/` for the whole service; undefined: it is not for us
   */
  pathOf(audience: string): string | undefined {
    if (this.isWhole(audience)) return '/';
    if (!audience.startsWith(`${this.publicUrl}/`)) return undefined;
    const rest = audience.slice(this.publicUrl.length);
    // Nothing that servers could understand differently: no query, no fragment, no dots, no percent encoding.
    if (!/^[\w/.-]+$/.test(rest) || rest.includes('..') || rest.includes('//')) return undefined;
    return REGISTRY.exec(rest)?.[0];
  }

  private isWhole(resource: string): boolean {
    return resource === this.publicUrl || resource === `${this.publicUrl}/`;
  }
}
