import { t } from '../../messages/text';
import { Screen } from '../../ui/screen';

export const RequestsScreen = () => <Screen title={t.requests.title}>{null}</Screen>;
