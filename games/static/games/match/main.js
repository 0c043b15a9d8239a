// The match page. The server draws everything; htmx swaps it in. Every word comes from the page.
// What is here is what a page must do by itself: choosing, keys, the clocks between two views, the
// connection.

import "./bid.js";
import "./choice.js";
import "./dialogs.js";
import "./drag.js";
import "./keylist.js";
import "./keys.js";
import "./lesson.js";
import "./line.js";
import "./prefs.js";
import "./scenes.js";
import "./veil.js";
import { update } from "./views.js";

update();
