import { Link } from '@tanstack/react-router';
import { Fragment, lazy, Suspense, useState } from 'react';
import { administers, useSignedIn } from '../../api/me';
import type { ListingAllowance, ListingDetail } from '../../api/schema';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card, Lines, Quiet, Row, Section } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { Problem, Skeleton } from '../../ui/problem';
import { More } from '../../ui/rows';
import { useAllowances } from './use-allowances';
import { words } from './words';

const AskDialog = lazy(async () => ({ default: (await import('../requests/ask-dialog')).AskDialog }));

/** Whether each organisation of the person allows the server, and by which rule. */
export function Allowances({ listing }: { listing: ListingDetail }) {
  const me = useSignedIn();
  const { isMember, list } = useAllowances(listing.id);
  const [isAsking, setAsking] = useState(false);
  // Nothing is allowed or not to a person without an organisation.
  if (!isMember || list.data?.pages[0]?.items.length === 0) return null;
  const mayAsk =
    listing.status === 'PUBLISHED' &&
    list.items.some(({ is_allowed: isAllowed, org_id: orgId }) => !isAllowed && !administers(me, orgId));
  return (
    <Card>
      <Section
        title={words.allowed.title}
        aside={mayAsk && <Button onClick={() => setAsking(true)}>{words.allowed.ask}</Button>}
      >
        {list.data === undefined ? (
          list.error ? (
            <Problem error={list.error} onRetry={() => void list.refetch()} />
          ) : (
            <Skeleton lines={1} />
          )
        ) : (
          <>
            <Lines label={words.allowed.label}>
              {list.items.map((allowance) => (
                <li key={allowance.org_id}>
                  <AllowanceRow allowance={allowance} />
                </li>
              ))}
            </Lines>
            <More list={list} />
          </>
        )}
      </Section>
      {isAsking && (
        <Suspense>
          <AskDialog open onClose={() => setAsking(false)} listing={listing} />
        </Suspense>
      )}
    </Card>
  );
}

function AllowanceRow({ allowance }: { allowance: ListingAllowance }) {
  const { is_allowed: isAllowed, organisation_name: name } = allowance;
  return (
    <Row>
      <strong>
        <OtherText>{name}</OtherText>
      </strong>
      {isAllowed ? (
        <Badge tone="good" icon="check">
          {words.allowed.yes}
        </Badge>
      ) : (
        <Badge tone="warn" icon="lock">
          {words.allowed.no}
        </Badge>
      )}
      <Quiet>
        <Rule allowance={allowance} />
      </Quiet>
    </Row>
  );
}

function Rule({
  allowance: { org_id: orgId, organisation_name: name, rule, bundles },
}: {
  allowance: ListingAllowance;
}) {
  const me = useSignedIn();
  if (rule === 'own_listing') return words.allowed.own(shown(name));
  if (rule === 'deployment') return words.allowed.deployment(shown(name));
  if (rule === null) return administers(me, orgId) ? words.allowed.admin : words.allowed.none;
  if (bundles.length === 0) return words.allowed.bundleOther;
  return (
    <>
      {words.allowed.bundle}{' '}
      {bundles.map((bundle, index) => (
        <Fragment key={bundle.id}>
          {index > 0 && ', '}
          <Link to="/bundles/$bundleId" params={{ bundleId: bundle.id }}>
            <OtherText>{bundle.name}</OtherText>
          </Link>
        </Fragment>
      ))}
    </>
  );
}
