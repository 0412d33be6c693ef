import { useEffect, useRef, useState } from 'react';
import { useChange } from '../../api/queries';
import type { Bundle } from '../../api/schema';
import { Button } from '../../ui/button';
import { CopyBlock } from '../../ui/copy';
import { Row } from '../../ui/layout';
import styles from './bundle.module.css';
import { TokenForm } from './tokens/token-form';
import { bundleWords } from './words';

const words = bundleWords.token;

interface BundleTokenProps {
  bundle: Bundle;
  /** One that was just created. */
  token: string | undefined;
  onCreated: (token: string) => void;
  /** When it was copied and need not be shown any more. */
  onDone: () => void;
}

/** Creates an access token of a bundle beside the settings that need it, and shows it once. */
export function BundleToken({ bundle, token, onCreated, onDone }: BundleTokenProps) {
  const create = useChange('POST /v1/bundles/{bundle_id}/access-tokens', ['GET /v1/bundles/{bundle_id}/access-tokens']);
  const [isOpen, setOpen] = useState(false);
  const section = useRef<HTMLElement>(null);
  // What had the focus goes with the form.
  useEffect(() => {
    if (token !== undefined) section.current?.focus();
  }, [token]);
  return (
    <section ref={section} tabIndex={-1} className={styles.part} aria-labelledby="bundle-token">
      <h2 id="bundle-token">{token === undefined ? words.title : words.created}</h2>
      {token !== undefined && (
        <div role="status" className={styles.figures}>
          <p>{words.once}</p>
          <CopyBlock text={token} what={words.what} />
          <Row>
            <Button
              onClick={() => {
                create.reset();
                setOpen(false);
                onDone();
                section.current?.focus();
              }}
            >
              {words.done}
            </Button>
          </Row>
        </div>
      )}
      {token === undefined && <p>{words.help}</p>}
      {token === undefined && !bundle.may_modify && <p>{words.others}</p>}
      {token === undefined && bundle.may_modify && !isOpen && (
        <Row>
          <Button icon="key" onClick={() => setOpen(true)}>
            {words.create}
          </Button>
        </Row>
      )}
      {token === undefined && isOpen && (
        <TokenForm bundle={bundle} create={create} onCreated={onCreated} onClose={() => setOpen(false)} />
      )}
    </section>
  );
}
