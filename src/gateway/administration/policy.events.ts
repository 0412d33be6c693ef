import { SAMPLE_BUNDLE } from '../../bundles/bundle.events';
import { changed, count, id, oneOf, shape, text } from '../../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../../events/event-types';
import { ORG_ID, SAMPLE } from '../../organisations/organisation.events';
import { DEFAULT_ACCESS } from '../settings/endpoint-enums';

export const POLICY_EVENTS = defineEvents('Policies of bundles', {
  'policy.changed': event(
    'Policies changed',
    'Who may use which tools of a bundle at its MCP endpoint changed.',
    shape(
      {
        bundle_id: id('The bundle.'),
        name: text('Its name.'),
        changed: changed('rules', 'default_access'),
        rule_count: count('How many rules it has now.'),
        default_access: oneOf(DEFAULT_ACCESS, 'What counts now where no rule does.'),
        changed_by: id('The person who changed them.'),
        bundle_version: count('The number of the version of the bundle that has them.'),
        org_id: ORG_ID,
      },
      {
        bundle_id: SAMPLE_BUNDLE,
        name: 'Incident response',
        changed: ['rules'],
        rule_count: 3,
        default_access: 'READ_ONLY',
        changed_by: SAMPLE.administrator,
        bundle_version: 8,
        org_id: SAMPLE.organisation,
      },
    ),
  ),
});

declare module '../../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof POLICY_EVENTS> {}
}
