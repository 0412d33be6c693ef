import { useState } from 'react';
import type { Bundle, BundleTool } from '../../../api/schema';
import { useRead } from '../../../api/queries';
import { Button } from '../../../ui/button';
import { shown } from '../../../ui/other-text';
import { Loaded } from '../../../ui/problem';
import { TryForm } from './try-form';
import styles from './try-tool.module.css';
import { tryWords } from './words';

interface TryToolProps {
  bundle: Bundle;
  tool: BundleTool;
}

/** Runs a tool as the person, to see what it does. Only tools can be run, and only those that clients get. */
export function TryTool({ bundle, tool }: TryToolProps) {
  const [isOpen, setOpen] = useState(false);
  if (tool.kind !== 'tool' || tool.state !== 'LISTED') return null;
  if (!isOpen) {
    return (
      <div>
        <Button icon="play" onClick={() => setOpen(true)}>
          {tryWords.action}
        </Button>
      </div>
    );
  }
  return (
    <section className={styles.part} aria-label={tryWords.title(shown(tool.name))}>
      <h3>{tryWords.title(shown(tool.name))}</h3>
      <Definition bundle={bundle} tool={tool} />
    </section>
  );
}

function Definition({ bundle, tool }: TryToolProps) {
  const read = useRead('GET /v1/bundles/{bundle_id}/tools/{tool_id}', {
    path: { bundle_id: bundle.id, tool_id: tool.id },
  });
  return (
    <Loaded read={read} lines={4}>
      {(detail) => <TryForm bundle={bundle} tool={tool} definition={detail.shown ?? detail.definition ?? {}} />}
    </Loaded>
  );
}
