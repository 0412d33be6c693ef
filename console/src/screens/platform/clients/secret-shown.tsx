import type { OAuthClientCreated } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { CopyBlock } from '../../../ui/copy';
import { Dialog } from '../../../ui/dialog';
import { Row, Stack } from '../../../ui/layout';
import { words } from './words';

const text = words.secretShown;

interface Props {
  title: string;
  client: OAuthClientCreated;
  onClose: () => void;
}

/** The secret of a client, once. */
export const SecretShown = ({ title, client, onClose }: Props) => (
  <Dialog open onClose={onClose} title={title}>
    <Stack>
      <CopyBlock text={client.id} what={text.idWhat} />
      <p>{client.client_secret === null ? text.noSecret : text.once}</p>
      {client.client_secret !== null && <CopyBlock text={client.client_secret} what={text.what} />}
      <Row>
        <Button onClick={onClose}>{text.done}</Button>
      </Row>
    </Stack>
  </Dialog>
);
