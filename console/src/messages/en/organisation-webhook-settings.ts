/** Recovery, settings, and the signature of a webhook endpoint. */
export const webhookSettings = {
  recover: {
    title: 'Send again what was missed',
    help: 'Everything that failed or was cancelled in a period, in the order of the events. First it is counted, and nothing is sent.',
    since: 'From',
    sinceHint: 'In your time zone.',
    until: 'Until',
    untilHint: 'Empty: now.',
    missing: 'Also events that were never sent',
    missingHint: 'Those of its event types that happened while it was switched off, not subscribed, or not there yet.',
    wrongTime: 'Type a day and a time.',
    count: 'Count',
    counted: 'What would be sent',
    lost: 'Failed or cancelled',
    never: 'Never sent',
    neverNot: 'not included',
    scanned: 'Events in the period',
    total: 'To be sent',
    inexact:
      'There are more events than are counted beforehand. These are the oldest; the recovery also sends the others.',
    nothing: 'Nothing is to be sent in this period.',
    nothingHelp: 'Choose an earlier time, or include what was never sent.',
    start: (count: string, isOne: boolean) => `Send ${count} ${isOne ? 'delivery' : 'deliveries'} again`,
    startMore: (count: string) => `Send ${count} deliveries and more again`,
    started: 'The recovery has begun.',
    after: 'The receiver gets the same webhook-ids again. It must know those that it has already dealt with.',
    off: 'The endpoint is switched off. Switch it on first: what is recovered is sent at once.',
    past: 'Recoveries',
    none: 'Nothing was recovered yet.',
    statuses: { RUNNING: 'Running', COMPLETED: 'Done', CANCELLED: 'Cancelled' },
    progress: (percent: string) => `${percent} of the period`,
    progressOf: 'Progress of the recovery',
    sofar: (queued: string, scanned: string) => `${queued} sent again of ${scanned} events`,
    period: (since: string, until: string) => `${since} to ${until}`,
    cancel: 'Stop it',
    cancelOf: (period: string) => `Stop the recovery of ${period}`,
    cancelled: 'The recovery was stopped. What it has queued is still sent.',
  },

  settings: {
    change: 'Change the endpoint',
    rotate: 'Secret',
    rotateHelp:
      'A new secret replaces the present one. For a while both sign, so that you can change the receiver without losing anything.',
    rotateButton: 'Rotate the secret',
    rotateTitle: 'Rotate the secret',
    grace: 'How long both are valid',
    graces: {
      '0': 'Not at all: the present one has leaked',
      '3600': '1 hour',
      '86400': '1 day',
      '259200': '3 days',
      '604800': '7 days',
    },
    graceUntil: (until: string) => `Every request has two signatures until ${until}. Change the receiver before that.`,
    graceNone:
      'The present secret stops signing at once. The receiver refuses everything until it has the new one; what fails is tried again.',
    rotated: 'The new secret',
    rotatedOnce: 'It is shown only now. Give it to your receiver.',
    bothUntil: 'The former secret still signs until',
    onlyNew: 'Only the new secret signs.',
    switch: 'Deliveries',
    switchOffHelp: 'Nothing more is sent. What is waiting is cancelled; you can recover it later.',
    switchOff: 'Switch it off',
    switchOffTitle: 'Switch the endpoint off?',
    switchedOff: 'The endpoint is switched off.',
    switchOnHelp: 'It is switched off. When it is on, new events are sent; recover what it missed.',
    remove: 'Delete',
    removeHelp:
      'Its deliveries, figures and secrets are gone at once. Nothing more is sent. This cannot be taken back.',
    removeButton: 'Delete the endpoint',
    removeTitle: 'Delete the endpoint?',
    removed: 'The endpoint was deleted.',
    waiting: 'What is waiting now is not delivered.',
    facts: 'About it',
    made: 'Made',
    changed: 'Changed',
    id: 'Id',
  },

  receiver: {
    check: 'Check a signature',
    checkHelp:
      'Paste a request that your receiver got. It is checked in this page: the secret is neither sent nor kept.',
    noCrypto:
      'This page cannot check signatures, since the browser lets only pages over https (or on localhost) calculate them. Open the console over https, or use the code below.',
    headers: 'Headers',
    headersHint: 'One a line, such as “webhook-id: …”. Others than the three of the webhook are ignored.',
    body: 'Body',
    bodyHint: 'Exactly the bytes that arrived: a body that was parsed and written again has another signature.',
    secret: 'Secret',
    secretHint: 'It begins with whsec_. It stays in this page.',
    button: 'Check',
    verdicts: {
      good: 'The signature is right',
      time: 'The signature is right, but not the time',
      wrong: 'The signature is wrong',
      unknown: 'It cannot be checked yet',
    },
    faults: {
      missing: (names: string) => `Missing: ${names}. Check that no proxy removes headers.`,
      timestamp: 'webhook-timestamp is not a number of seconds.',
      old: (age: string) =>
        `The request is ${age} old. Receivers refuse what is more than 5 minutes old, so that nobody can send it again.`,
      future: (age: string) =>
        `The request is ${age} in the future. Set the clock of this computer, or of the receiver.`,
      secretForm:
        'The secret is not one of Toolyard: it is whsec_ and 44 characters of base64. Check that all of it was copied.',
      signatureForm: 'webhook-signature has no signature that begins with “v1,”.',
      bodyChanged:
        'The secret, or the body, is another one. The body is JSON, but not as Toolyard writes it: perhaps it was parsed and written again. Give the check the bytes as they arrived.',
      mended:
        'The body was changed on the way: as Toolyard writes it, without the white space between, its signature is right. Give the check the bytes as they arrived.',
      notJson: 'The body is not JSON, so not all of it arrived or was pasted. Or the secret is another one.',
      wrongSecret:
        'The secret is another one, or a value in the body was changed. Compare the secret with the one of this endpoint; if it was rotated, use the new one.',
    },
    right: (age: string) =>
      `Whoever signed it has this secret, and nothing in it was changed. It was signed ${age} ago.`,
    code: 'A receiver in code',
    codeHelp:
      'For this endpoint. The secret is read from the variable WEBHOOK_SECRET. It verifies the raw body, answers at once, and knows what it has seen.',
    languages: { node: 'Node', python: 'Python', go: 'Go' },
    language: 'Language',
    codeWhat: (language: string) => `the receiver in ${language}`,
    noPackage: 'It needs the standard library alone.',
  },
};
