import { Link } from '@tanstack/react-router';
import { useList } from '../../api/queries';
import type { Bundle } from '../../api/schema';
import { buttonClass } from '../../ui/button';
import { Quiet, Stack } from '../../ui/layout';
import { Empty } from '../../ui/problem';
import { Rows } from '../../ui/rows';
import { NeedRow } from './need-row';
import { bundleWords } from './words';

const words = bundleWords.need;

/** What the servers of the bundle need from the person. */
export function AccountsTab({ bundle }: { bundle: Bundle }) {
  const list = useList('GET /v1/bundles/{bundle_id}/credential-needs', {
    path: { bundle_id: bundle.id },
    query: { limit: 100 },
  });
  const needsAny = list.items.some(({ credential_mode }) => credential_mode !== 'NONE');
  return (
    <Stack>
      {needsAny && <Quiet>{words.help}</Quiet>}
      <Rows
        list={list}
        label={words.label}
        keyOf={({ entry_id }) => entry_id}
        row={(need) => <NeedRow bundle={bundle} need={need} />}
        height={96}
        empty={
          <Empty>
            <p>{words.empty}</p>
            <p>{words.emptyHelp}</p>
            <Link
              to="/bundles/$bundleId"
              params={{ bundleId: bundle.id }}
              search={{ tab: 'connect' }}
              className={buttonClass()}
            >
              {bundleWords.connect}
            </Link>
          </Empty>
        }
      />
    </Stack>
  );
}
