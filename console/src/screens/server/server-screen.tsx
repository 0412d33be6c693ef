import { t } from '../../messages/text';
import { Screen } from '../../ui/screen';

export const ServerScreen = () => <Screen title={t.server.title}>{null}</Screen>;
