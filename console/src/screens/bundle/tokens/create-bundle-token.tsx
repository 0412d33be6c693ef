import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../../api/queries';
import type { Bundle } from '../../../api/schema';
import { Button, buttonClass } from '../../../ui/button';
import { CopyBlock } from '../../../ui/copy';
import { Dialog } from '../../../ui/dialog';
import { Icon } from '../../../ui/icon';
import { Quiet, Row } from '../../../ui/layout';
import { useNewToken } from './new-token';
import { TokenForm } from './token-form';
import { tokensWords as words } from './words';

interface CreateBundleTokenProps {
  bundle: Bundle;
  onClose: () => void;
}

/** Asks what a token is for, shows it once, and leads to the settings that are filled in with it. */
export function CreateBundleToken({ bundle, onClose }: CreateBundleTokenProps) {
  const create = useChange('POST /v1/bundles/{bundle_id}/access-tokens', ['GET /v1/bundles/{bundle_id}/access-tokens']);
  const { keep } = useNewToken(bundle.id);
  const [token, setToken] = useState<string>();
  if (token === undefined) {
    return (
      <Dialog open onClose={onClose} title={words.create}>
        <TokenForm bundle={bundle} create={create} onCreated={setToken} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog open onClose={onClose} title={words.made}>
      <p>{words.once}</p>
      <CopyBlock text={token} what={words.onceWhat} />
      <Row>
        <Button look="primary" onClick={onClose}>
          {words.done}
        </Button>
        <Link
          to="/bundles/$bundleId"
          params={{ bundleId: bundle.id }}
          search={{ tab: 'connect', by: 'token' }}
          className={buttonClass()}
          onClick={() => keep(token)}
        >
          <Icon name="plug" />
          {words.useNow}
        </Link>
      </Row>
      <Quiet>{words.useNowHelp}</Quiet>
    </Dialog>
  );
}
