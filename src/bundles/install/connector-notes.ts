/** How Claude Desktop gets remote servers, which its file cannot have. */
export const CONNECTOR_NOTES: readonly string[] = [
  'Claude Desktop reaches remote servers as connectors: Settings > Connectors > Add custom connector, with this address. It signs in by OAuth.',
  'Connectors are called from the network of Anthropic, so the address has to be reachable from the internet.',
];
