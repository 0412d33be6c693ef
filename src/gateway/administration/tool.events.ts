import { SAMPLE_BUNDLE } from '../../bundles/bundle.events';
import { PINNINGS } from '../../bundles/entries/pinning';
import { count, id, listOf, oneOf, shape, text } from '../../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../../events/event-types';
import { ORG_ID, SAMPLE } from '../../organisations/organisation.events';
import { TOOL_KINDS } from '../rules/tool-kinds';

/** An event is about a whole change of an entry; it names so many of the tools. */
export const MAX_NAMED_IN_EVENT = 100;

const tools = {
  bundle_id: id('The bundle.'),
  name: text('Its name.'),
  entry_id: id('The entry in it.'),
  kind: oneOf(TOOL_KINDS, 'What they are: tools, prompts, or templates of resources.'),
  tool_ids: listOf(id('A tool of the bundle.'), `Which they are; at most ${MAX_NAMED_IN_EVENT}.`),
  tool_names: listOf(text('As the server has it.'), 'Their names, in the same order.'),
  tool_count: count('How many there are, also those that are not named.'),
};

const pinning = oneOf(
  PINNINGS,
  'What follows from it. `WARN`: it is served. `APPROVE`: it is not served until an editor approves it.',
);

const sample = {
  bundle_id: SAMPLE_BUNDLE,
  name: 'Incident response',
  entry_id: '019a9f62-c6f3-7381-9be5-e04c8d5b6a72',
  kind: 'tool' as const,
  tool_ids: ['019a9f64-3c1e-7a55-8d20-6b9f1e7c4a31'],
  tool_names: ['create_incident'],
  tool_count: 1,
};

const news = shape(
  { ...tools, pinning, org_id: ORG_ID },
  { ...sample, pinning: 'APPROVE', org_id: SAMPLE.organisation },
);

export const TOOL_EVENTS = defineEvents('Tools of bundles', {
  'tool.added': event(
    'Tools added by a server',
    'The server of an entry lists tools that it did not list before, or lists some again as they were. One event for each kind and each reading of its lists; what a server lists the first time is no change. Not for entries whose pinning is `OFF`.',
    news,
  ),

  'tool.removed': event('Tools removed by a server', 'The server of an entry does not list tools any more.', news),

  'tool.definition_changed': event(
    'Definitions of tools changed by a server',
    'The server of an entry has changed what tools are: their descriptions, schemas or annotations. Also where one was gone in between.',
    news,
  ),

  'tool.approved': event(
    'Definitions of tools approved',
    'An editor approved definitions. What they approve by setting the pinning of an entry to `APPROVE` is a change of the entry, and no event.',
    shape(
      { ...tools, approved_by: id('The editor.'), org_id: ORG_ID },
      { ...sample, approved_by: SAMPLE.administrator, org_id: SAMPLE.organisation },
    ),
  ),
});

declare module '../../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof TOOL_EVENTS> {}
}
