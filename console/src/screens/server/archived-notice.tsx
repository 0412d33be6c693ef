import type { ListingDetail } from '../../api/schema';
import { Card, Row, Stack } from '../../ui/layout';
import { Icon } from '../../ui/icon';
import { OtherText } from '../../ui/other-text';
import { When } from '../../ui/when';
import { words } from './words';

const text = words.archived;

/** Who archived the server, why, and what can be done: for those who can still see it. */
export function ArchivedNotice({ listing }: { listing: ListingDetail }) {
  const { archived_by: by, archived_at: at, archive_reason: reason } = listing;
  if (by === null) return null;
  return (
    <Card>
      <Stack gap="tight">
        <Row>
          <Icon name="alert" />
          <strong>
            {text.by[by]} {at !== null && <When at={at} />}
          </strong>
        </Row>
        {reason !== null && (
          <p>
            {text.reason} <OtherText>{reason}</OtherText>
          </p>
        )}
        <p>{by === 'PLATFORM' && reason !== null ? text.kept : text.help}</p>
      </Stack>
    </Card>
  );
}
