import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { Bundle, BundleTool } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { Row } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { ApproveDialog } from './review/approve-dialog';
import { ruleTool } from './rule-tools';
import { isHeld } from './tool-filters';
import styles from './tools.module.css';
import { toolsWords as words } from './words';

interface SelectionBarProps {
  bundle: Bundle;
  tools: readonly BundleTool[];
  onClear: () => void;
}

/** What can be done with the tools that were chosen. */
export function SelectionBar({ bundle, tools, onClear }: SelectionBarProps) {
  const [done, setDone] = useState(0);
  const [isApproving, setApproving] = useState(false);
  const held = tools.filter(isHeld);
  const change = useMutation({
    mutationFn: async (isEnabled: boolean) => {
      const wanted = tools.filter(({ is_enabled }) => is_enabled !== isEnabled);
      setDone(0);
      // One after another: each is a version of the bundle.
      for (const tool of wanted) {
        await ruleTool(bundle.id, tool.id, { is_enabled: isEnabled });
        setDone((count) => count + 1);
      }
      return { count: wanted.length, isEnabled };
    },
    onSuccess: ({ count, isEnabled }) => {
      notify(isEnabled ? words.manyOn(count) : words.manyOff(count));
      onClear();
    },
  });
  return (
    <div className={styles.bar} role="region" aria-label={words.selection}>
      <Row between>
        <strong role="status">
          {change.isPending ? words.progress(done, tools.length) : words.chosen(tools.length)}
        </strong>
        <Row>
          <Button
            busy={change.isPending}
            disabled={tools.every((one) => one.is_enabled)}
            onClick={() => change.mutate(true)}
          >
            {words.turnOn}
          </Button>
          <Button
            busy={change.isPending}
            disabled={tools.every((one) => !one.is_enabled)}
            onClick={() => change.mutate(false)}
          >
            {words.turnOff}
          </Button>
          <Button disabled={held.length === 0} onClick={() => setApproving(true)}>
            {words.approveCount(held.length)}
          </Button>
          <Button look="plain" icon="close" onClick={onClear}>
            {words.clear}
          </Button>
        </Row>
      </Row>
      {change.error && <Problem error={change.error} />}
      <ApproveDialog
        bundle={bundle}
        tools={held}
        open={isApproving}
        onClose={() => setApproving(false)}
        onDone={onClear}
      />
    </div>
  );
}
