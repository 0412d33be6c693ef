import type { ReactNode } from 'react';
import { useSignedIn } from '../../api/me';
import { useList } from '../../api/queries';
import type { Bundle } from '../../api/schema';
import { Badge } from '../../ui/badge';
import { Facts, Quiet, Section, Stack } from '../../ui/layout';
import { OtherText } from '../../ui/other-text';
import { Empty } from '../../ui/problem';
import { Rows } from '../../ui/rows';
import { When } from '../../ui/when';
import styles from './bundle.module.css';
import { OwnerName } from './owner-name';
import { bundleWords } from './words';

const words = bundleWords.people;

/** Who edits and who follows the bundle. */
export function PeopleTab({ bundle }: { bundle: Bundle }) {
  const parts = { path: { bundle_id: bundle.id } };
  const editors = useList('GET /v1/bundles/{bundle_id}/editors', parts);
  const followers = useList('GET /v1/bundles/{bundle_id}/followers', parts);
  return (
    <Stack gap="wide">
      <Facts facts={[[words.owner, <OwnerName key="owner" bundle={bundle} />]]} />
      <Section title={words.editors}>
        <Quiet>{words.editorsHelp}</Quiet>
        <Rows
          list={editors}
          label={words.editors}
          keyOf={({ user_id }) => user_id}
          row={({ user_id, name, email, may_modify, created_at }) => (
            <PersonLine id={user_id} name={name ?? email} since={created_at}>
              {name !== null && email !== null && <OtherText>{email}</OtherText>}
              {!may_modify && <Badge icon="alert">{words.inactive}</Badge>}
            </PersonLine>
          )}
          empty={<Empty>{words.noEditors}</Empty>}
        />
      </Section>
      <Section title={words.followers}>
        <Rows
          list={followers}
          label={words.followers}
          keyOf={({ user_id }) => user_id}
          row={({ user_id, name, followed_at }) => <PersonLine id={user_id} name={name} since={followed_at} />}
          empty={<Empty>{words.noFollowers}</Empty>}
        />
      </Section>
    </Stack>
  );
}

interface PersonLineProps {
  id: string;
  name: string | null;
  since: string;
  children?: ReactNode;
}

function PersonLine({ id, name, since, children }: PersonLineProps) {
  const me = useSignedIn();
  return (
    <div className={styles.line}>
      <div className={styles.grow}>
        <span>
          {name === null ? words.nameless : <OtherText>{name}</OtherText>}{' '}
          {id === me.id && <Badge tone="accent">{words.you}</Badge>}
        </span>
        <span className={styles.facts}>{children}</span>
      </div>
      <Quiet>
        {words.since} <When at={since} />
      </Quiet>
    </div>
  );
}
