import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/queries';
import type { Bundle, BundleVersionDetail } from '../../api/schema';
import { Button, buttonClass } from '../../ui/button';
import { Row, Stack } from '../../ui/layout';
import { shown } from '../../ui/other-text';
import { Empty, Loaded } from '../../ui/problem';
import { Screen } from '../../ui/screen';
import { DetailsDialog } from './details-dialog';
import { editorRoute } from './editor-route';
import { EditorBody } from './editor-body';
import { editedOf } from './entries';
import { editorWords as words } from './words';

/** The servers of a bundle beside the catalogue: add, order, configure, and save as one version. */
export function EditorScreen() {
  const { bundleId } = editorRoute.useParams();
  const read = useRead('GET /v1/bundles/{bundle_id}', { path: { bundle_id: bundleId } });
  const [isNaming, setNaming] = useState(false);
  const bundle = read.data;
  return (
    <Screen
      title={bundle ? words.titleOf(shown(bundle.name)) : words.title}
      actions={
        <Row>
          {bundle?.may_modify && (
            <Button icon="pencil" onClick={() => setNaming(true)}>
              {words.details.action}
            </Button>
          )}
          <Link to="/bundles/$bundleId" params={{ bundleId }} className={buttonClass()}>
            {words.back}
          </Link>
        </Row>
      }
    >
      <Loaded read={read} lines={8}>
        {(one) => (one.may_modify ? <ReadVersion key={one.id} bundle={one} /> : <NotAllowed />)}
      </Loaded>
      {isNaming && bundle && <DetailsDialog bundle={bundle} onClose={() => setNaming(false)} />}
    </Screen>
  );
}

const NotAllowed = () => (
  <Empty>
    <p>{words.notAllowed}</p>
    <p>{words.whoMay}</p>
  </Empty>
);

/** A version has all its entries in one answer, which belong together. */
function ReadVersion({ bundle }: { bundle: Bundle }) {
  const read = useRead('GET /v1/bundles/{bundle_id}/versions/{number}', {
    path: { bundle_id: bundle.id, number: bundle.version },
  });
  return (
    <Stack>
      <Loaded read={read} lines={8}>
        {(version: BundleVersionDetail) => (
          <EditorBody bundle={bundle} version={version.number} saved={version.entries.map(editedOf)} />
        )}
      </Loaded>
    </Stack>
  );
}
