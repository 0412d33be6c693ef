/** @returns a number with its noun */
const counted = (shown: string, count: number, one: string, many = `${one}s`): string =>
  `${shown} ${count === 1 ? one : many}`;

/** Who may use which tools of the bundle. */
export const policies = {
  onlyMembers:
    'Only the owner and the editors of this bundle, and the members of its organisation, see its rules for people.',
  onlyEditors:
    'Only the owner and the editors of this bundle, and the administrators of its organisation, change rules and preview them.',
  help: 'Rules decide which tools, prompts and resources people and tokens get at the endpoint. They count from the next request on.',

  defaults: {
    title: 'Where no rule says anything',
    values: {
      ALLOW: ['May be used', 'Everyone who reaches the endpoint may use it.'],
      READ_ONLY: ['Only reading', 'Tools that say that they only read, prompts and resources.'],
      DENY: ['May not be used', 'Only what a rule allows.'],
    },
    changed: (from: string, to: string) => `Where no rule says anything: ${from} → ${to}`,
  },

  rules: {
    title: 'Rules',
    label: 'Rules, in their order',
    help: 'A rule that denies wins over any that allows. The order only decides which rule a preview names.',
    empty: 'There are no rules yet, so the default counts for everyone.',
    number: (shown: string) => `Rule ${shown}`,
    count: (shown: string, most: string) => `${shown} of at most ${most}`,
    add: 'Add a rule',
    edit: 'Edit',
    remove: 'Remove',
    up: 'Move up',
    of: (action: string, rule: string) => `${action}: ${rule}`,
    effects: { ALLOW: 'Allows', DENY: 'Denies' },
    invalid: (shown: string, message: string) => `Rule ${shown}: ${message}`,
  },

  rule: {
    sentence: {
      ALLOW: (who: string, what: string) => `${who} may use ${what}.`,
      DENY: (who: string, what: string) => `${who} may not use ${what}.`,
    },
    everyone: 'Everyone',
    nobody: 'Nobody',
    roles: {
      BUNDLE_OWNER: 'The owner of the bundle',
      BUNDLE_EDITOR: 'Editors of the bundle',
      ORG_OWNER: 'Owners of the organisation',
      ORG_ADMIN: 'Administrators of the organisation',
      ORG_MEMBER: 'Members of the organisation',
      OUTSIDER: 'People who only see it because it is public',
    },
    person: (name: string) => name,
    group: (name: string) => `The group ${name}`,
    token: (name: string) => `The token ${name}`,
    unknown: {
      person: 'A person whose name is not known here',
      group: 'A group whose name is not known here',
      token: 'A token whose name is not known here',
    },
    everything: { ALLOW: 'everything', DENY: 'anything' },
    matching: (pattern: string) => `what is named “${pattern}”`,
    hints: {
      read_only: (what: string) => `${what} that only reads`,
      destructive: (what: string) => `${what} that may destroy something`,
    },
    matchingHints: {
      read_only: (what: string) => `${what} and only reads`,
      destructive: (what: string) => `${what} and may destroy something`,
    },
    at: (what: string, server: string) => `${what} (server ${server})`,
    unknownServer: 'that is gone or not visible to you',
  },

  form: {
    addTitle: 'Add a rule',
    editTitle: 'Edit the rule',
    effect: 'What it does',
    effects: { ALLOW: 'Allow', DENY: 'Deny' },
    kind: 'For whom',
    kinds: {
      everyone: 'Everyone',
      role: 'A role',
      group: 'A group of the directory',
      person: 'A person',
      token: 'An access token',
    },
    groupsForAdmins: 'Only administrators of the organisation can choose a group of its directory.',
    role: 'Role',
    who: { group: 'Group', person: 'Person', token: 'Access token' },
    whoHint: 'Type a part of the name.',
    groupHint: 'Type how the name begins.',
    noHit: 'Nothing matches.',
    loading: 'Loading…',
    missing: 'Choose one of the list.',
    tools: 'Tools, by their name at the server',
    toolsHint:
      '* stands for any characters, ? for one. Empty: everything. Also for prompts and addresses of resources.',
    toolsLong: (most: number) => `At most ${most} characters.`,
    matches: (shown: string, count: number, examples: string) =>
      `${counted(shown, count, 'tool has', 'tools have')} such a name now${examples === '' ? '.' : `: ${examples}.`}`,
    hint: 'Only if the tool says',
    anyHint: 'Whatever it says',
    hints: { read_only: 'It only reads', destructive: 'It may destroy something, or says nothing about it' },
    entry: 'Only of the server',
    anyEntry: 'All servers',
    reads: 'The rule reads',
    apply: 'Take it over',
    applyHelp: 'Nothing is saved yet.',
  },

  changes: {
    title: 'Unsaved changes',
    added: 'Added',
    removed: 'Removed',
    order: 'The order of the rules',
    count: (shown: string, count: number) => counted(shown, count, 'unsaved change'),
    save: 'Save the rules',
    discard: 'Discard',
    saved: 'The rules were saved.',
    previewFirst: 'Look at the preview below before you save.',
  },

  conflict: {
    title: 'The bundle was changed meanwhile',
    help: 'Nothing was saved. You changed the rules of an earlier version.',
    rulesSame: 'Its rules are still as you knew them. Save again.',
    theirs: 'What was changed by others',
    merge: 'Put my changes on top of theirs',
    take: 'Drop mine, take theirs',
    merged: 'Your changes are now on top of theirs. Look at them, then save.',
  },

  preview: {
    title: 'Preview',
    help: 'See which tools a person, a role or a token has now, and would have with what is not saved yet.',
    as: 'As',
    kinds: { person: 'A person', role: 'A role', token: 'An access token' },
    choose: 'Choose in whose place to look.',
    noGroup: 'To check a rule about a group, look as a person who is in it.',
    asWho: (who: string) => `As ${who}`,
    now: 'Tools now',
    after: 'Tools after the change',
    gained: 'Gained',
    lost: 'Lost',
    show: 'Show',
    filters: { all: 'Everything', changed: 'What changes', usable: 'May be used', refused: 'May not be used' },
    search: 'Search by name',
    label: 'What they may use',
    kindsOf: { tool: 'Tool', prompt: 'Prompt', resource: 'Resource', template: 'Template' },
    states: { gained: 'Gained', lost: 'Lost', allowed: 'May use', refused: 'May not use' },
    why: {
      RULE: (shown: string, sentence: string) => `Rule ${shown}: ${sentence}`,
      DEFAULT: 'No rule says anything, so the default counts.',
      LISTING: 'They may not see this server in the catalogue.',
    },
    before: (why: string) => `Before: ${why}`,
    empty: 'The bundle offers nothing yet.',
    noHit: 'Nothing matches.',
    cut: (shown: string) => `The first ${shown} are compared.`,
  },
};
