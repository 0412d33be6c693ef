import { useBlocker } from '@tanstack/react-router';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Row } from '../../ui/layout';
import { editorWords } from './words';

const words = editorWords.leave;

/** Asks before a person leaves with changes that are not saved. */
export function LeaveDialog({ isDirty, onDiscard }: { isDirty: () => boolean; onDiscard: () => void }) {
  const blocker = useBlocker({
    // The words of the search are in the address too.
    shouldBlockFn: ({ current, next }) => isDirty() && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  const { proceed, reset } = blocker;
  return (
    <Dialog open title={words.title} onClose={reset}>
      <p>{words.help}</p>
      <Row>
        <Button look="primary" onClick={reset}>
          {words.stay}
        </Button>
        <Button onClick={proceed}>{words.leave}</Button>
        <Button
          look="danger"
          onClick={() => {
            onDiscard();
            proceed();
          }}
        >
          {words.discard}
        </Button>
      </Row>
    </Dialog>
  );
}
