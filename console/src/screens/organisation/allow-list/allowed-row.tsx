import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { AllowedByBundle, AllowedListing } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import styles from './allow-list.module.css';
import { words } from './words';

/** A server that is allowed, and why. */
export function AllowedRow({ listing, onStop }: { listing: AllowedListing; onStop: () => void }) {
  const { listing_id: id, name, title, rules, bundles, bundle_count: count, deployed_bundles: deployed } = listing;
  return (
    <div className={styles.line}>
      <Stack gap="tight">
        <Row>
          <strong>
            <Link to="/servers/$listingId" params={{ listingId: id }}>
              <OtherText>{title}</OtherText>
            </Link>
          </strong>
          <Quiet>
            <OtherText>{name}</OtherText>
          </Quiet>
          {rules.map((rule) => (
            <Badge key={rule} tone={rule === 'deployment' ? 'warn' : 'good'} icon="check">
              {words.rules[rule]}
            </Badge>
          ))}
        </Row>
        {rules.includes('own_listing') && <Quiet>{words.rulesHelp.own_listing}</Quiet>}
        {bundles.length > 0 && (
          <Quiet>
            {words.rulesHelp.bundle} <Bundles bundles={bundles} />
            {count > bundles.length && ` ${words.moreBundles(number(count - bundles.length))}`}
          </Quiet>
        )}
        {deployed.length > 0 && (
          <Quiet>
            {words.rulesHelp.deployment} <Bundles bundles={deployed} />
          </Quiet>
        )}
      </Stack>
      <Row>
        {bundles[0] && (
          <Link
            to="/bundles/$bundleId/edit"
            params={{ bundleId: bundles[0].id }}
            aria-label={words.changeIn(shown(title), shown(bundles[0].name))}
          >
            {words.change}
          </Link>
        )}
        <Button aria-label={words.stop.of(shown(title))} onClick={onStop}>
          {words.stop.action}
        </Button>
      </Row>
    </div>
  );
}

const Bundles = ({ bundles }: { bundles: readonly AllowedByBundle[] }) =>
  bundles.map(({ id, name }, index) => (
    <Fragment key={id}>
      {index > 0 && ', '}
      <Link to="/bundles/$bundleId" params={{ bundleId: id }}>
        <OtherText>{name}</OtherText>
      </Link>
    </Fragment>
  ));
