import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";

import type { Backend } from "./backend";
import type { BackendEvent } from "./view";

/** The program behind the window. */
export function tauriBackend(): Backend {
  return {
    bootstrap: () => invoke("bootstrap"),
    subscribe: (listener) => listen<BackendEvent>("state", (event) => listener(event.payload)),

    chooseFolder: () => invoke("choose_folder"),
    openPaths: (paths) => invoke("open_paths", { paths }),
    rescan: () => invoke("rescan"),
    removeFolder: (path) => invoke("remove_folder", { path }),

    articles: (offset, limit) => invoke("articles", { offset, limit }),
    article: (id) => invoke("article", { id }),
    preview: (id) => invoke("preview", { id }),
    setAside: (ids, aside) => invoke("set_aside", { ids, aside }),

    dryRun: (siteId) => invoke("dry_run", { siteId }),
    register: (siteId, ids) => invoke("register", { siteId, ids }),
    pause: () => invoke("pause"),
    resume: () => invoke("resume"),

    attention: () => invoke("attention"),
    checkLink: (opId, address) => invoke("check_link", { opId, address }),
    act: (request) => invoke("act", { request }),
    release: (code, typed) => invoke("release", { code, typed }),

    history: (about, text, offset, limit) => invoke("history", { about, text, offset, limit }),
    exportHistory: (form) => invoke("export_history", { form }),
    diagnosis: () => invoke("diagnosis"),

    addSite: (site) => invoke("add_site", { site }),
    beginConnect: (address) => invoke("begin_connect", { address }),
    finishConnect: () => invoke("finish_connect"),
    cancelConnect: () => invoke("cancel_connect"),
    checkSite: (siteId) => invoke("check_site", { siteId }),
    renewPassword: (siteId, password) => invoke("renew_password", { siteId, password }),
    removeSite: (siteId) => invoke("remove_site", { siteId }),
    useSite: (siteId) => invoke("use_site", { siteId }),
    startPractice: () => invoke("start_practice"),
    setSwitch: (name, on) => invoke("set_switch", { switch: name, on }),

    pauseWatch: (minutes) => invoke("pause_watch", { minutes }),
    resumeWatch: () => invoke("resume_watch"),
    setAutomatic: (path, on) => invoke("set_automatic", { path, on }),
    takeOver: (path) => invoke("take_over", { path }),

    saveSettings: (settings) => invoke("save_settings", { settings }),
    finishFirstStart: () => invoke("finish_first_start"),
    openLink: (target) => invoke("open_link", { target }),
  };
}
