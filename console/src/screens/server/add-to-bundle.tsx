import { Link } from '@tanstack/react-router';
import { useList } from '../../api/queries';
import type { ListingDetail } from '../../api/schema';
import { buttonClass } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Quiet, Row, Stack } from '../../ui/layout';
import { OtherText } from '../../ui/other-text';
import { words } from './words';

/** The bundles of the person, each with the way to its editor, where the server is found already. */
export function AddToBundle({ listing }: { listing: ListingDetail }) {
  const list = useList('GET /v1/bundles', { query: { limit: 50 } });
  const own = list.items.filter(({ may_modify: mayModify }) => mayModify);
  if (own.length === 0) return null;
  return (
    <Stack gap="tight">
      <h3>{words.bundles.add}</h3>
      <Quiet>{words.bundles.addHelp}</Quiet>
      <Row>
        {own.map(({ id, name }) => (
          <Link
            key={id}
            to="/bundles/$bundleId/edit"
            params={{ bundleId: id }}
            search={{ q: listing.name }}
            className={buttonClass()}
          >
            <Icon name="plus" />
            <OtherText>{name}</OtherText>
          </Link>
        ))}
      </Row>
    </Stack>
  );
}
