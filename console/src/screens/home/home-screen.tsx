import { t } from '../../messages/text';
import { Screen } from '../../ui/screen';

export const HomeScreen = () => <Screen title={t.home.title}>{null}</Screen>;
