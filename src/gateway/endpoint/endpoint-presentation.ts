/**
 * What clients get as the list of tools. `ALL`: all that they may use. `SEARCH`: three tools, by which they find, read and
 * call the others. `AUTO`: `SEARCH` where they may use more than 60.
 */
export const ENDPOINT_PRESENTATIONS = ['ALL', 'SEARCH', 'AUTO'] as const;
export type EndpointPresentation = (typeof ENDPOINT_PRESENTATIONS)[number];

/** With `AUTO`, more tools than this are searched for: clients have trouble with more. */
export const MOST_SHOWN_BY_AUTO = 60;
