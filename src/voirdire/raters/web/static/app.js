// What a page does beyond plain forms. Without it every form works as it is.

import "./downloads.js";
import { dropOldDrafts } from "./drafts.js";
import { offerKeys } from "./keys.js";
import { offerSearch } from "./search.js";
import { arrive, beginInText } from "./focus.js";
import "./marks.js";
import { sendUnsent } from "./submissions.js";
import "./spans.js";

offerKeys();
dropOldDrafts();
arrive();
offerSearch();
beginInText();
sendUnsent();
