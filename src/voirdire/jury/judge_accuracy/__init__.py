"""How accurate a judge is: `jury bench`."""
