/* A blank page of WebKitGTK in a window: what the window of Ichido is measured against. */
#include <gtk/gtk.h>
#include <webkit2/webkit2.h>

int main(int argc, char **argv) {
  gtk_init(&argc, &argv);
  GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  gtk_window_set_title(GTK_WINDOW(window), "blank");
  gtk_window_set_default_size(GTK_WINDOW(window), 1280, 820);
  GtkWidget *page = webkit_web_view_new();
  gtk_container_add(GTK_CONTAINER(window), page);
  g_signal_connect(window, "destroy", G_CALLBACK(gtk_main_quit), NULL);
  webkit_web_view_load_uri(WEBKIT_WEB_VIEW(page), "about:blank");
  gtk_widget_show_all(window);
  gtk_main();
  return 0;
}
