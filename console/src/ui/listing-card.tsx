import { Link } from '@tanstack/react-router';
import type { ItemOf } from '../api/client';
import { t } from '../messages/text';
import { Badge } from './badge';
import layout from './layout.module.css';
import styles from './listing-card.module.css';
import { OtherText, ServerName } from './other-text';
import { ServerIcon } from './server-icon';
import { Stars } from './stars';

export type ListedServer = ItemOf<'GET /v1/mcp/listings'>;

interface Props {
  listing: ListedServer;
}

/** A server of the catalogue, to be opened. */
export const ListingCard = ({ listing }: Props) => (
  <Link to="/servers/$listingId" params={{ listingId: listing.id }} className={styles.card}>
    <span className={styles.head}>
      <ServerIcon listing={listing} />
      <Names listing={listing} />
    </span>
    <span className={layout.cut}>
      <OtherText>{listing.description}</OtherText>
    </span>
    <Foot listing={listing} />
  </Link>
);

/** The same in one row. */
export const ListingRow = ({ listing }: Props) => (
  <Link to="/servers/$listingId" params={{ listingId: listing.id }} className={styles.row}>
    <ServerIcon listing={listing} />
    <span className={styles.names}>
      <Names listing={listing} />
      <span className={layout.cut}>
        <OtherText>{listing.description}</OtherText>
      </span>
    </span>
    <Foot listing={listing} />
  </Link>
);

const Names = ({ listing }: Props) => (
  <span className={styles.names}>
    <span className={styles.title}>
      <OtherText>{listing.title}</OtherText>
    </span>
    <br />
    <span className={styles.name}>
      <ServerName>{listing.name}</ServerName>
    </span>
  </span>
);

const Foot = ({ listing }: Props) => (
  <span className={styles.foot}>
    {listing.status === 'ARCHIVED' && (
      <Badge tone="warn" icon="lock">
        {t.catalogue.archived}
      </Badge>
    )}
    {[...listing.transports.map(transportName), ...listing.registry_types].map((word) => (
      <Badge key={word}>
        <OtherText>{word}</OtherText>
      </Badge>
    ))}
    {listing.rating.count > 0 && <Stars rating={listing.rating} />}
  </span>
);

/** @returns how a transport is called for people: one that is new as it is written */
export function transportName(transport: string): string {
  return t.catalogue.transports[transport] ?? transport;
}
