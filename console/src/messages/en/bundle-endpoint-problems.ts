import type { EndpointProblemCode } from '../../api/schema';

interface ProblemText {
  /** What is wrong, in one sentence. */
  wrong: string;
  /** What to do, and who can. */
  mend: string;
}

/** What each problem of an endpoint means, and what mends it. */
export const endpointProblems: Record<EndpointProblemCode, ProblemText> = {
  unavailable: {
    wrong: 'The server is archived or deleted, or you may not see it.',
    mend: 'Remove it from the bundle, or put another one in its place.',
  },
  no_remote: {
    wrong: 'The server is a package, and there is no address where it runs.',
    mend: 'Run it somewhere (the export for Docker Compose or Kubernetes writes how), then enter its address.',
  },
  unsupported_transport: {
    wrong: 'The server speaks only an old transport (HTTP with SSE) that is not used here.',
    mend: 'Choose a version that speaks Streamable HTTP, or enter the address of one that does. Else ask its publisher.',
  },
  missing_values: {
    wrong: 'The server needs values that the bundle does not have.',
    mend: 'Enter them in the editor. If one is a secret, choose there whose account is used.',
  },
  credential_missing: {
    wrong: 'The server needs an account, and there is none that can be used.',
    mend: 'Connect yours, or a shared one for everyone who uses the bundle.',
  },
  credential_reconnect: {
    wrong: 'The server no longer accepts the account.',
    mend: 'Connect it again.',
  },
  credential_origin_changed: {
    wrong: 'The server has moved since the account was given, so nothing is sent to it.',
    mend: 'Confirm the new address, or connect the account again.',
  },
  invalid_server: {
    wrong: 'What the catalogue says of the server cannot be used as it is.',
    mend: 'Choose another version, or enter its address yourself. Only its publisher can correct the entry.',
  },
  endpoint_url_kept: {
    wrong: 'The server has its own address now, and the one entered in the bundle is still used.',
    mend: 'Remove the address from the bundle if the one of the server should be used.',
  },
  not_listed: {
    wrong: 'The server has not said yet what it offers.',
    mend: 'Ask it again, or wait: this goes on by itself.',
  },
  list_failed: {
    wrong: 'The server could not be asked the last time, so what it said before counts.',
    mend: 'Ask it again. If it keeps failing, ask those who run it.',
  },
  left_out: {
    wrong: 'A definition cannot be offered to clients, so it is left out.',
    mend: 'Only the publisher of the server can correct it.',
  },
  list_cut: {
    wrong: 'A list of the server could not be read to its end. What came before that is offered.',
    mend: 'Ask it again. If that does not help, its publisher has to shorten or correct it.',
  },
  nothing_listed: {
    wrong: 'The server offers nothing that the bundle could pass on.',
    mend: 'Ask it again if it should. Some servers offer tools only to some accounts.',
  },
  other_era_only: {
    wrong: 'The server answers only the other family of protocol revisions, so it is used in that one.',
    mend: 'Nothing has to be done. Its publisher can make it answer both.',
  },
  definition_mended: {
    wrong: 'A definition had a fault that some clients cannot read. The faulty part was dropped or completed.',
    mend: 'Try the tool once. Its publisher can correct it for good.',
  },
  name_clash: {
    wrong: 'Two servers have something with the same name, so both get their longer names.',
    mend: 'Rename one of them, or leave it as it is.',
  },
  name_reserved: {
    wrong: 'The name belongs to a tool of the endpoint itself, so the longer name is used.',
    mend: 'Give it a name of its own, or leave it as it is.',
  },
  uri_taken: {
    wrong: 'Two servers have a resource at the same address. The one that comes first in the bundle is offered.',
    mend: 'Change the order of the servers if the other one should be offered.',
  },
  too_many_tools: {
    wrong: 'The bundle has more tools than an endpoint can offer. The last ones are left out.',
    mend: 'Hide tools that nobody needs, or split the bundle.',
  },
  legacy_only: {
    wrong: 'The server speaks only earlier revisions, so it cannot ask anything of newer clients.',
    mend: 'Nothing has to be done if its tools work. Its publisher can bring it up to date.',
  },
  definition_changed: {
    wrong: 'The server has changed it, and nobody has approved that. Clients see the approved one, and calls fail.',
    mend: 'Compare both and approve the change. An editor of the bundle can.',
  },
  not_approved: {
    wrong: 'It is new and hidden until it is approved.',
    mend: 'Look at it and approve it. An editor of the bundle can.',
  },
  name_not_possible: {
    wrong: 'It cannot have the name that was chosen for it, so it has another one.',
    mend: 'Choose another name for it.',
  },
  fixed_argument_gone: {
    wrong: 'An argument is fixed here that the tool no longer has.',
    mend: 'Remove the fixed argument.',
  },
  invisible_characters: {
    wrong: 'Its text has characters that people do not see and a model reads.',
    mend: 'Read it with care. Hide it, or write a description of your own, if you do not trust it.',
  },
  oversized_description: {
    wrong: 'Its description is longer than a tool needs, and takes tokens of every conversation.',
    mend: 'Write a shorter description for it.',
  },
  names_other_tools: {
    wrong: 'Its text names tools of other servers, and may steer a model to them.',
    mend: 'Read it with care. Write a description of your own if you do not trust it.',
  },
};
