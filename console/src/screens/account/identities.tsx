import { useState } from 'react';
import { useChange, useList } from '../../api/queries';
import type { Identity } from '../../api/schema';
import { Button } from '../../ui/button';
import { Quiet, Section } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { Rows } from '../../ui/rows';
import { When } from '../../ui/when';
import { ConfirmedAction } from './confirmed-action';
import { Line } from './line';
import { accountWords } from './words';

const words = accountWords.ways;

interface IdentitiesProps {
  /** Whether the person signed in just now. */
  mayChange: boolean;
}

/** Who the person is at identity providers. */
export function Identities({ mayChange }: IdentitiesProps) {
  const list = useList('GET /v1/users/me/identities', {});
  return (
    <Section title={words.identities}>
      <Rows
        list={list}
        label={words.identities}
        keyOf={({ id }) => id}
        row={(identity) => <IdentityLine identity={identity} mayChange={mayChange} />}
        empty={<Quiet>{words.noIdentities}</Quiet>}
      />
    </Section>
  );
}

function IdentityLine({ identity, mayChange }: IdentitiesProps & { identity: Identity }) {
  const [isRemoving, setRemoving] = useState(false);
  const remove = useChange('DELETE /v1/users/me/identities/{identity_id}', [
    'GET /v1/users/me/identities',
    'GET /v1/users/me/sessions',
    'GET /v1/users/me/grants',
    'GET /v1/users/me/access-tokens',
  ]);
  const issuer = shown(identity.issuer);
  return (
    <>
      <Line
        title={<OtherText>{identity.issuer}</OtherText>}
        facts={[
          <span key="subject">
            {words.as} <OtherText>{identity.subject}</OtherText>
          </span>,
          <When key="created" at={identity.created_at} />,
        ]}
      >
        {mayChange && (
          <Button aria-label={words.removeOf(issuer)} onClick={() => setRemoving(true)}>
            {words.remove}
          </Button>
        )}
      </Line>
      {isRemoving && (
        <ConfirmedAction
          title={words.removeTitle}
          action={words.remove}
          change={remove}
          parts={{ path: { identity_id: identity.id } }}
          done={words.removed}
          onClose={() => setRemoving(false)}
        >
          <p>{issuer}</p>
          <p>{words.consequences}</p>
        </ConfirmedAction>
      )}
    </>
  );
}
