/**
 * How an endpoint names tools and prompts. `PREFIX`: by the alias of the entry, `__` and the name at the server. `PLAIN`:
 * as the server does; two equal names are an error of the bundle.
 */
export const ENDPOINT_NAMINGS = ['PREFIX', 'PLAIN'] as const;
export type EndpointNaming = (typeof ENDPOINT_NAMINGS)[number];
