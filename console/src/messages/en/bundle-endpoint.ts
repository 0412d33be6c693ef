/** @returns a number with its noun */
const counted = (shown: string, count: number, one: string, many = `${one}s`): string =>
  `${shown} ${count === 1 ? one : many}`;

/** How clients reach the bundle, and what keeps its servers from being served. */
export const endpoint = {
  onlyMembers:
    'Only the owner and the editors of this bundle, and the members of its organisation, see the state of its servers.',
  onlyEditors:
    'Only the owner and the editors of this bundle, and the administrators of its organisation, change this.',
  onlyEditorsSee:
    'Only the owner and the editors of this bundle, and the administrators of its organisation, see what is wrong with it.',

  address: {
    title: 'Address',
    help: 'Clients that speak MCP by Streamable HTTP connect here, and get the tools of all servers of the bundle as one.',
    what: 'the address',
    on: 'On',
    off: 'Off',
    onMeans: 'Clients are served, also by deployments of kind “endpoint”.',
    offMeans: 'Clients are refused until it is turned on.',
    offOthers: 'Its owner and editors can turn it on.',
    turnOn: 'Turn it on',
    turnOff: 'Turn it off',
    turnedOn: 'The endpoint is on.',
    turnedOff: 'The endpoint is off.',
    offTitle: 'Turn the endpoint off?',
    offHelp: 'Every client loses the tools of this bundle at once, and so do its deployments of kind “endpoint”.',
    connect: 'Connect a client',
  },

  settings: {
    title: 'Settings',
    names: 'Names of tools',
    use: 'What people may use',
    recording: 'What is recorded',
    fields: {
      naming: 'Naming',
      name_budget: 'Longest name, in characters',
      presentation: 'List of tools',
      default_access: 'Where no rule says anything',
      record: 'When a call is recorded',
      record_arguments: 'Arguments of calls',
    },
    naming: {
      PREFIX: ['With the server', 'As in weather__get_forecast. No two can clash.'],
      PLAIN: ['As at the server', 'As in get_forecast. Two with the same name get the longer one.'],
    },
    budgetHint: (least: number, most: number) =>
      `From ${least} to ${most}. Clients put a prefix of their own before names. Longer names are cut and end in a digest.`,
    budgetRange: (least: number, most: number) => `Enter a whole number from ${least} to ${most}.`,
    presentation: {
      ALL: ['All tools', 'The whole list, as far as a person may use it.'],
      SEARCH: ['Search', 'Three tools with which a model finds, reads and calls the others. It saves tokens.'],
      AUTO: ['By their number', 'Search where a person may use more than 60 tools, else all.'],
    },
    default_access: {
      ALLOW: ['May be used', 'Everyone who reaches the endpoint may use it.'],
      READ_ONLY: ['Only reading', 'Tools that say that they only read, prompts and resources.'],
      DENY: ['May not be used', 'Only what a rule allows.'],
    },
    toRules: 'Rules for people',
    record: {
      BUFFERED: ['Within a second of its end', 'Fast. A process that is killed loses its last second.'],
      STRICT: ['Before the server is asked', 'Nothing is lost. A call that cannot be recorded is refused.'],
    },
    record_arguments: {
      NONE: ['Nothing', 'The record says who called what, and with which outcome.'],
      KEYS: ['Names only', 'Which arguments were given, without their values.'],
      DIGEST: ['A digest', 'Equal arguments can be recognised. They cannot be read from it.'],
    },
    unsaved: (shown: string, count: number) => counted(shown, count, 'unsaved change'),
    change: (from: string, to: string) => `${from} → ${to}`,
    save: 'Save',
    discard: 'Discard',
    saved: 'The settings were saved.',
  },

  report: {
    title: 'What clients get',
    tools: 'Tools',
    prompts: 'Prompts',
    tokens: 'Tokens of the list, about',
    size: 'Size of the list',
    kilobytes: (shown: string) => `${shown} kB`,
    version: 'Version of the bundle',
    search: 'Of the three search tools.',
  },

  servers: {
    title: 'Servers',
    label: 'Servers of the endpoint',
    states: {
      READY: 'Ready',
      WAITING: 'Not asked yet',
      FAILING: 'Failing',
      OUT_OF_REACH: 'Out of reach',
      UNAVAILABLE: 'Not available',
    },
    unseen: 'A server that you may not see',
    asked: 'asked',
    never: 'never asked',
    tools: (shown: string, count: number) => counted(shown, count, 'tool'),
    prompts: (shown: string, count: number) => counted(shown, count, 'prompt'),
    resources: (shown: string, count: number) => counted(shown, count, 'resource'),
    paused: (seconds: number) =>
      `Five calls in a row did not reach it. Calls fail at once for ${seconds} more ${seconds === 1 ? 'second' : 'seconds'}.`,
    off: (shown: string, count: number) => `${counted(shown, count, 'more server')} ${count === 1 ? 'is' : 'are'} off.`,
    toEditor: 'Edit the bundle',
    refresh: 'Ask the servers again',
    refreshing: 'Asking the servers…',
    refreshed: 'All servers were asked.',
    refreshedSome: (without: number, all: number) =>
      `${without} of ${all} servers could not be asked. The endpoint says why.`,
    goesOn: 'Some servers take longer. They are still being asked, and the list below follows.',
    empty: 'No server of this bundle is on.',
    accounts: {
      CONNECTED: 'Account connected',
      MISSING: 'Needs an account',
      RECONNECT: 'Account must be connected again',
      ORIGIN_CHANGED: 'The server moved, confirm it',
    },
  },

  problems: {
    title: 'Problems',
    label: 'Problems of the endpoint',
    none: 'Nothing is wrong. Clients get everything that the servers offer.',
    count: (shown: string, count: number) => counted(shown, count, 'problem'),
    more: (shown: string) => `${shown} more are not listed. Mend these first.`,
    severities: { bad: 'Does not work', warn: 'Check this', info: 'Good to know' },
    said: (detail: string) => `The report says: ${detail}`,
    mends: {
      accounts: 'Connect the account',
      editor: 'Edit the bundle',
      tool: 'Open the tool',
      changed: 'Compare and approve',
      new: 'Look at it and approve',
      tools: 'Choose tools',
      refresh: 'Ask again',
      policies: 'Open the rules',
    },
    mendOf: (mend: string, subject: string) => `${mend}: ${subject}`,
    rule: (shown: string) => `Rule ${shown}`,
    findings: {
      NO_MATCH: 'The rule fits nothing that the bundle has now. Check its pattern, or remove it.',
      NO_SUBJECT: 'The group, person or token of the rule is gone, so the rule is about nobody. Remove it.',
      NO_ENTRY: 'The server of the rule is no longer in the bundle. Remove the rule.',
    },
  },
};
