/** What the settings of an endpoint can be. */

/**
 * How an endpoint names tools and prompts. `PREFIX`: by the alias of the entry, `__` and the name at the server. `PLAIN`:
 * as the server does; two equal names are an error of the bundle.
 */
export const ENDPOINT_NAMINGS = ['PREFIX', 'PLAIN'] as const;
export type EndpointNaming = (typeof ENDPOINT_NAMINGS)[number];

/**
 * What clients get as the list of tools. `ALL`: all that they may use. `SEARCH`: three tools, by which they find, read and
 * call the others. `AUTO`: `SEARCH` where they may use more than 60.
 */
export const ENDPOINT_PRESENTATIONS = ['ALL', 'SEARCH', 'AUTO'] as const;
export type EndpointPresentation = (typeof ENDPOINT_PRESENTATIONS)[number];

/** With `AUTO`, more tools than this are searched for: clients have trouble with more. */
export const MAX_SHOWN_BY_AUTO = 60;

/** What counts where no rule says anything. `READ_ONLY`: what says that it only reads is allowed. */
export const DEFAULT_ACCESS = ['ALLOW', 'READ_ONLY', 'DENY'] as const;
export type DefaultAccess = (typeof DEFAULT_ACCESS)[number];

/**
 * When the row of a call is written. `BUFFERED`: after it, in groups. `STRICT`: before the server is asked, or the call is
 * refused.
 */
export const RECORD_MODES = ['BUFFERED', 'STRICT'] as const;
export type RecordMode = (typeof RECORD_MODES)[number];

/** What the record says of the arguments of a call. */
export const RECORDED_ARGUMENTS = ['NONE', 'KEYS', 'DIGEST'] as const;
export type RecordedArguments = (typeof RECORDED_ARGUMENTS)[number];
