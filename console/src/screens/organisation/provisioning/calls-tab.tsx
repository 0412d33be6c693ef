import { useList } from '../../../api/queries';
import { Choice } from '../../../ui/choice';
import { SelectInput } from '../../../ui/field';
import { Row, Stack } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Calls } from './calls';
import { providerOfToken } from './provider';
import { usePlace } from './use-place';
import { words } from './words';

const text = words.calls;

/** All calls of identity providers, as they arrive. */
export function CallsTab() {
  const { orgId, search, go } = usePlace();
  const tokens = useList('GET /v1/organisations/{org_id}/scim/tokens', {
    path: { org_id: orgId },
    query: { limit: 50 },
  });
  const nameOf = (id: string) => tokens.items.find((token) => token.id === id)?.name;
  const options = tokens.items.map(({ id, name, prefix }) => [id, words.token.of(shown(name), prefix)] as const);
  const isListed = search.token === undefined || tokens.items.some(({ id }) => id === search.token);
  return (
    <Stack>
      <Row>
        <Choice
          legend={text.filter}
          value={search.failed === undefined ? 'all' : 'failed'}
          onChange={(value) => go({ failed: value === 'failed' ? '1' : undefined }, true)}
          options={[
            ['all', text.all],
            ['failed', text.failed],
          ]}
        />
        <SelectInput
          label={text.token}
          value={search.token ?? ''}
          onChange={(event) => go({ token: event.target.value }, true)}
          options={[
            ['', text.anyToken],
            ...options,
            ...(isListed ? [] : [[search.token ?? '', search.token ?? ''] as const]),
          ]}
        />
      </Row>
      <Calls providerOf={(call) => providerOfToken(nameOf(call.token_id))} />
    </Stack>
  );
}
