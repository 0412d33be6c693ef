import { Button } from '../../../ui/button';
import { CopyBlock } from '../../../ui/copy';
import { Row } from '../../../ui/layout';
import { words } from './words';

const text = words.token;

/** A token that was just made. It is in the memory of the page alone. */
export interface MadeToken {
  id: string;
  token: string;
}

/** Shows a new token this once. */
export const NewToken = ({ made, onDone }: { made: MadeToken; onDone: () => void }) => (
  <>
    <p>{text.once}</p>
    <CopyBlock text={made.token} what={text.what} />
    <Row>
      <Button icon="check" onClick={onDone}>
        {text.done}
      </Button>
    </Row>
  </>
);
