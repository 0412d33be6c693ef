import { constant, id, listOf, orNull, shape, text } from '../../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../../events/event-types';

const RECEIVERS = 'Sent to personal endpoints of platform administrators only.';

const document = {
  org_id: constant(null, 'Always null: it is of no organisation.'),
  document_id: id('The document in quarantine.'),
  source: text('The registry that it came from, or `file`.'),
  name: orNull(text('The name in the document; null if it has none.')),
  version: orNull(text('The version in the document; null if it has none.')),
};
const sample = {
  org_id: null,
  document_id: '019a9f64-0c11-7b32-8f0e-27d1ad50ce99',
  source: 'https://registry.modelcontextprotocol.io',
  name: 'io.github.acme/weather',
  version: 'latest',
};

/** What administrators decide about documents that could not be imported. */
export const QUARANTINE_EVENTS = defineEvents('Imports', {
  'import_document.edited': event(
    'Quarantined document edited',
    `An administrator imported an edited document in place of one in quarantine. ${RECEIVERS}`,
    shape(
      {
        ...document,
        imported_name: text('The name of the edited document.'),
        imported_version: text('The version of the edited document.'),
        changed: listOf(text('The name of a field.'), 'What is different in the edited document.'),
      },
      { ...sample, imported_name: 'io.github.acme/weather', imported_version: '1.4.0', changed: ['version'] },
    ),
  ),

  'import_document.dismissed': event(
    'Quarantined document dismissed',
    `An administrator dismissed a document in quarantine: imports leave it out. ${RECEIVERS}`,
    shape(document, sample),
  ),

  'import_document.reopened': event(
    'Quarantined document reopened',
    `An administrator took back a decision about a document in quarantine. ${RECEIVERS}`,
    shape(document, sample),
  ),

  'import_document.retried': event(
    'Quarantined document imported',
    `An administrator imported a document in quarantine as it is, after what was in its way had gone. ${RECEIVERS}`,
    shape(document, sample),
  ),
});

declare module '../../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof QUARANTINE_EVENTS> {}
}
