import type { ListingDetail } from '../../api/schema';
import { CopyBlock } from '../../ui/copy';
import { Quiet, Section } from '../../ui/layout';
import { visibleJson } from '../../ui/visible-json';
import { words } from './words';

/** The server.json of the latest version, as it was published. */
export const DocumentTab = ({ listing }: { listing: ListingDetail }) => (
  <Section title={words.tabs.document}>
    <Quiet>{words.document.help}</Quiet>
    <CopyBlock text={visibleJson(listing.server) ?? ''} what={words.document.what} />
  </Section>
);
